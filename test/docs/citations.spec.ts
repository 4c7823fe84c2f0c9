import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const SOURCES = ['src', 'test', 'bench', 'scripts', 'docker', 'data'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];

/** A file as comments name it, with the heading if there is one: `docs/contract.md`, "States". */
const CITATION = /(?<![\w*/.-])([\w-][\w./-]*\.(?:md|ts|mjs|js|sh|json))\b(?:`?,[\s*/]+"([^"]+)")?/g;
/** A file of the repository in a document. */
const NAMED_FILE = /`((?:src|test|scripts|docs|bench|data|docker)\/[\w./-]+\.[a-z]+)`/g;
/** A link to a place of the repository, as `[text](path#anchor)`. */
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
}

function headingsOf(page: string): string[] {
  const prose = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
}

/** The anchor that a heading gets on the page: `What is defended` is `what-is-defended`. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

/** The comments of a source; code that looks like one does no harm here. */
function commentsOf(file: string): string[] {
  return readFileSync(file, 'utf8').match(/\/\*\*[\s\S]*?\*\/|(?<=^\s*|\s)(?:\/\/|#) .*/gm) ?? [];
}

describe('comments', () => {
  let files: string[];
  let cited: { file: string; named: string; heading?: string }[];

  beforeAll(() => {
    files = SOURCES.flatMap(filesIn).filter((file) => !file.includes('node_modules'));
    cited = files
      .filter((file) => /\.(ts|mjs|js|sh)$/.test(file))
      .flatMap((file) =>
        commentsOf(file).flatMap((comment) => citationsIn(comment).map((found) => ({ file, ...found }))),
      );
  });

  function citationsIn(comment: string) {
    return Array.from(comment.matchAll(CITATION), ([, named = '', heading]) => ({
      named,
      heading: heading?.replaceAll(/\s+\*?\s*/g, ' '),
    })).filter(({ named }) => !named.startsWith('dist/'));
  }

  it('name only files that exist, by their path or, beside others of the kind, by their name', () => {
    const names = new Set(files.map((file) => basename(file)));
    const missing = cited.filter(({ named }) => !existsSync(named) && !names.has(named));
    expect(cited.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  it('name only headings that exist', () => {
    const withHeading = cited.filter(({ heading, named }) => heading && named.endsWith('.md'));
    expect(withHeading.length).toBeGreaterThan(20);
    expect(withHeading.filter(({ named, heading = '' }) => !headingsOf(named).includes(heading))).toEqual([]);
  });
});

describe('documents', () => {
  it('name only files that exist, except in decisions', () => {
    const current = [...PAGES, ...filesIn('docs')].filter(
      (file) => file.endsWith('.md') && !file.includes('decisions'),
    );
    const named = current.flatMap((page) =>
      Array.from(readFileSync(page, 'utf8').matchAll(NAMED_FILE), ([, file = '']) => ({ page, file })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ file }) => !existsSync(file))).toEqual([]);
  });

  it('link only to files and headings that exist', () => {
    const broken = [...PAGES, ...filesIn('docs').filter((file) => file.endsWith('.md'))].flatMap((page) =>
      Array.from(readFileSync(page, 'utf8').matchAll(LINK), ([link, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        const isFound = existsSync(target) && (!anchor || headingsOf(target).map(toAnchor).includes(anchor));
        return isFound ? undefined : `${page}: ${link}`;
      }),
    );
    expect(broken.filter(Boolean)).toEqual([]);
  });
});
