import ts from 'typescript';

const DIRECTIVE = /^(?:\/[/*]|#)\s*(?:!|biome-ignore|oxlint-|@ts-)/;

/**
 * textlint's view of sources: a `Paragraph` for each comment, a `Str` for each text of an error.
 * Texts of errors are those of `*.errors.ts` and of what `new …Error(` is given.
 */
export const sourcePlugin = {
  Processor: class {
    availableExtensions() {
      return ['.ts', '.mjs', '.js', '.sh'];
    }

    processor() {
      return {
        preProcess: (text, filePath) => toDocument(text, findProse(text, filePath)),
        postProcess: (messages, filePath) => ({ messages, filePath }),
      };
    }
  },
};

function findProse(text, filePath) {
  return filePath.endsWith('.sh') ? findInShell(text) : findInScript(text, filePath);
}

function toDocument(text, { comments, errorTexts }) {
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  const toNode = (type, [start, end], more) => ({
    type,
    raw: text.slice(start, end),
    range: [start, end],
    loc: { start: toPosition(lineStarts, start), end: toPosition(lineStarts, end) },
    ...more,
  });
  const toText = (range) => toNode('Str', range, { value: text.slice(...range) });
  const prose = comments.filter(([start, end]) => !DIRECTIVE.test(text.slice(start, end)));
  const paragraphs = prose.map((range) => toNode('Paragraph', range, { children: [toText(range)] }));
  return toNode('Document', [0, text.length], { children: [...paragraphs, ...errorTexts.map(toText)] });
}

function toPosition(lineStarts, offset) {
  let line = lineStarts.findIndex((start) => start > offset);
  if (line === -1) {
    line = lineStarts.length;
  }
  return { line, column: offset - lineStarts[line - 1] };
}

function findInShell(text) {
  const comments = Array.from(text.matchAll(/(?<=^\s*)#.*/gm), (match) => [match.index, match.index + match[0].length]);
  return { comments, errorTexts: [] };
}

function findInScript(text, filePath) {
  const source = ts.createSourceFile(filePath, text, ts.ScriptTarget.Latest, true);
  const comments = new Map();
  const errorTexts = [];
  const visit = (node, isErrorText) => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ]) {
      comments.set(pos, [pos, end]);
    }
    const range = [node.getStart(source), node.end];
    if (isErrorText && isText(node) && text.slice(...range).includes(' ')) {
      errorTexts.push([range[0] + 1, range[1] - 1]);
    }
    for (const child of node.getChildren(source)) {
      if (!ts.isJSDoc(child)) {
        visit(child, isErrorText || isNewError(node));
      }
    }
  };
  visit(source, filePath.endsWith('.errors.ts'));
  return { comments: [...comments.values()], errorTexts };
}

function isText(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

function isNewError(node) {
  return ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text.endsWith('Error');
}
