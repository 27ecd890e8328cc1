import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

const PROJECT = join(import.meta.dirname, '../..');

/** A text of the sources in catalogue form: `Deposit of {0} credited`, or `# trade|# trades`. */
export type SourceText = { readonly key: string; readonly path: string; readonly line: number };

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Files whose texts a member reads. The console is English only. */
const sources = (patterns: readonly string[]) =>
  globSync([...patterns], { cwd: PROJECT })
    .filter((path) => !/\.test\.|\/console\//.test(path))
    .sort();

/** Every text marked with `t` or `plural`, once each. */
export function listSourceTexts(): SourceText[] {
  const found = sources(['{contract,server}/**/*.ts', 'web/src/**/*.{ts,tsx}']).flatMap((path) => {
    const text = readFileSync(join(PROJECT, path), 'utf8');
    return /\b(t`|plural\()/.test(text) ? readTexts(path, text) : [];
  });
  return [...new Map(found.map((text) => [text.key, text])).values()];
}

/** Texts in a file of a member's screens that bypass the catalogue. */
export const findLooseTexts = (): SourceText[] =>
  sources(['web/src/**/*.{ts,tsx}']).flatMap((path) => readLoose(path, readFileSync(join(PROJECT, path), 'utf8')));

export function readTexts(path: string, text: string): SourceText[] {
  const found: SourceText[] = [];
  walk(parse(path, text), [], (node) => {
    const key = keyOf(node);
    if (key !== undefined) found.push({ key, path, line: lineOf(text, node) });
  });
  return found;
}

export function readLoose(path: string, text: string): SourceText[] {
  const found: SourceText[] = [];
  walk(parse(path, text), [], (node, above) => {
    const shown = shownText(node);
    if (shown === undefined || !isEnglish(shown, node) || above.some(isHidden) || isHiddenBy(above.at(-1), node))
      return;
    found.push({ key: shown.trim().replace(/\s+/g, ' '), path, line: lineOf(text, node) });
  });
  return found;
}

const parse = (path: string, text: string) => parseSync(path, text).program as unknown as Node;
const lineOf = (text: string, node: Node) => text.slice(0, node.start).split('\n').length;

function walk(node: Node, above: readonly Node[], visit: (node: Node, above: readonly Node[]) => void): void {
  visit(node, above);
  const below = [...above, node];
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, below, visit);
}

const nameOf = (node: unknown): unknown =>
  !isNode(node) ? undefined : node.type === 'MemberExpression' ? nameOf(node.property) : node.name;

const quasisOf = (template: unknown) =>
  ((template as Node).quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);

function keyOf(node: Node): string | undefined {
  if (node.type === 'TaggedTemplateExpression' && nameOf(node.tag) === 't')
    return quasisOf(node.quasi).reduce((key, part, index) => (index === 0 ? part : `${key}{${index - 1}}${part}`), '');
  if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'plural') return undefined;
  const forms = (node.arguments as Node[])[1];
  if (forms?.type !== 'ObjectExpression') return undefined;
  const formOf = (name: string) =>
    (forms.properties as Node[])
      .filter((property) => nameOf(property.key) === name)
      .map((property) => (property.value as Node).value)[0];
  return `${formOf('one')}|${formOf('other')}`;
}

function shownText(node: Node): string | undefined {
  if (node.type === 'JSXText') return node.value as string;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? quasisOf(node).join(' … ') : undefined;
}

/** Names of keys, of fields defined elsewhere and of the product, and what style sheets read. */
const notEnglish =
  /var\(--|px |sans-serif|^Bearer |^(Tradewind|Escape|Enter|Tab|Backspace|PageUp|PageDown|Arrow\w+|Authorization|Idempotency-Key|GET|POST|PUT|UTC|Inter)$/;

/**
 * Text in an element is always visible; elsewhere, text starts like a sentence or contains words separated by spaces.
 */
function isEnglish(shown: string, node: Node): boolean {
  const text = shown.trim();
  if (notEnglish.test(text)) return false;
  if (node.type === 'JSXText') return /\p{L}{2}/u.test(text);
  // `${count} set`: a word after a value.
  if (node.type === 'TemplateLiteral' && /… {2}\p{Ll}{2,}$/u.test(text)) return true;
  return (
    (/^(\d+ )?[A-Z]?[a-z]+([ .,:?’…]|$)/.test(text) && /^\d|[A-Z]/.test(text)) || /\p{L}{2,} \p{L}{2,}/u.test(text)
  );
}

const hiddenCalls =
  /^(t|plural|translate|Error|TypeError|assert|error|warn|log|matchMedia|querySelector|querySelectorAll|closest|getElementById|createContext|matches|css|classList|add|toggle)$/;
/** Attributes that nobody reads or hears. */
const hiddenAttributes =
  /^(className|style|styles|d|viewBox|transform|points|sizes|media|rel|type|name|id|key|to|href|src|srcSet|gridTemplateColumns|cols|autoComplete|fontFamily|w|h|p|m|bg|c|bd|transition|sx)$/;

function isHidden(node: Node): boolean {
  if (/^(TS|Import|ExportAll|ExportNamed.*Source)/.test(node.type))
    return !/^TS(As|Satisfies|NonNull|Instantiation)/.test(node.type);
  if (node.type === 'TaggedTemplateExpression') return true;
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const called = nameOf(node.callee);
    const isToast = isNode(node.callee) && nameOf(node.callee.object) === 'toast';
    return !isToast && typeof called === 'string' && hiddenCalls.test(called);
  }
  if (node.type === 'JSXAttribute')
    return isNode(node.name) && typeof node.name.name === 'string' && hiddenAttributes.test(node.name.name);
  return false;
}

/** Compared with, or a key: not shown. */
function isHiddenBy(parent: Node | undefined, node: Node): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'BinaryExpression') return /^[!=]==?$/.test(String(parent.operator));
  if (parent.type === 'SwitchCase') return parent.test === node;
  if (parent.type === 'Property') {
    if (parent.key === node) return true;
    return nameOf(parent.key) !== 'name' && hiddenAttributes.test(String(nameOf(parent.key)));
  }
  if (parent.type === 'ExpressionStatement') return true;
  return parent.type === 'MemberExpression';
}
