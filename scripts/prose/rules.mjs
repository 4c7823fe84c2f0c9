const CODE = /`[^`]*`|\{@link [^}]*\}|https?:\/\/\S+/g;
const LINK_TARGET = /(?<=\]\()[^)\s]+|https?:\/\/\S+/g;

/**
 * The phrases in bold in the table "Words" of CONTRIBUTING.md, with what to say instead.
 * A row reads `| **fault**, **faults**, form | error |`.
 */
export function parseGlossary(markdown) {
  const section = markdown.split(/^## /m).find((text) => text.startsWith('Words\n')) ?? '';
  const rows = Array.from(section.matchAll(/^\| (.+) \| (.+) \|$/gm));
  return rows.flatMap(([, avoided, say]) =>
    Array.from(avoided.matchAll(/\*\*(.+?)\*\*/g), ([, phrase]) => ({ phrase, say })),
  );
}

/** Reports phrases of the glossary, except in code and in bold. A phrase can be on two lines. */
export function words({ Syntax, RuleError, report, getSource }, { glossary }) {
  const sayInstead = new Map(glossary.map(({ phrase, say }) => [phrase.toLowerCase(), say]));
  const phrases = glossary.map(({ phrase }) => phrase.replaceAll(' ', '[\\s*/#]+'));
  const pattern = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'gi');
  return {
    [Syntax.Str](node) {
      if (node.parent?.type === Syntax.Strong) {
        return;
      }
      const prose = getSource(node).replace(CODE, (code) => ' '.repeat(code.length));
      for (const { 0: found, index } of prose.matchAll(pattern)) {
        const phrase = found.replace(/[\s*/#]+/g, ' ');
        const say = sayInstead.get(phrase.toLowerCase());
        report(node, new RuleError(`instead of "${phrase}", say ${say}`, { index }));
      }
    },
  };
}

/** Reports wide lines of prose. Targets of links do not count, and tables are exempt. */
export function width({ Syntax, RuleError, report, getSource }, { max }) {
  const seen = new Set();
  function check(node) {
    const lines = getSource().split('\n');
    for (let line = node.loc.start.line; line <= node.loc.end.line; line += 1) {
      const text = lines[line - 1].replace(LINK_TARGET, '');
      if (text.length > max && !seen.has(line)) {
        seen.add(line);
        report(
          node,
          new RuleError(`the line is ${text.length} characters wide, the limit is ${max}`, {
            line: line - node.loc.start.line,
            column: 0,
          }),
        );
      }
    }
  }
  return { [Syntax.Paragraph]: check, [Syntax.Header]: check };
}
