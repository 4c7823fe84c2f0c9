// Checks comments, documents and the texts of errors: the words of CONTRIBUTING.md ("Words"), and
// the width of lines. `node scripts/check-prose.mjs src/types` checks what is named, else FOLDERS.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { parseGlossary, width, words } from './prose/rules.mjs';
import { sourcePlugin } from './prose/source-plugin.mjs';

const FOLDERS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'data',
  'docker',
  'scripts',
  'test',
  'bench',
  'src',
];
const EXTENSIONS = ['.md', '.ts', '.mjs', '.js', '.sh'];
const MAX_WIDTH = 100;

const contributing = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
const options = {
  plugins: [
    { pluginId: 'markdown', plugin: markdown.default },
    { pluginId: 'source', plugin: sourcePlugin },
  ],
  rules: [
    { ruleId: 'words', rule: words, options: { glossary: parseGlossary(contributing) } },
    { ruleId: 'width', rule: width, options: { max: MAX_WIDTH } },
  ],
};

function findFiles(path) {
  const files = statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true }).map((name) => join(path, name));
  return files.filter((file) => EXTENSIONS.includes(extname(file)) && !file.includes('node_modules'));
}

const named = process.argv.slice(2);
const files = (named.length > 0 ? named : FOLDERS).flatMap(findFiles);
const kernel = new TextlintKernel();
let issues = 0;
for (const filePath of files) {
  const text = readFileSync(filePath, 'utf8');
  const { messages } = await kernel.lintText(text, { ...options, filePath, ext: extname(filePath) });
  for (const { loc, message } of messages) {
    console.error(`${filePath}:${loc.start.line}:${loc.start.column}: ${message}`);
  }
  issues += messages.length;
}
console.log(`Prose: ${issues} issues in ${files.length} files`);
process.exitCode = issues === 0 ? 0 : 1;
