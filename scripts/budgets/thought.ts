// How much thought the code asks of its reader: what stands in a line, and in a function.
import ts from "typescript";

/** The figures of all sources together. */
export interface Thought {
  /** Tokens on a line of code; comments and empty lines do not count. */
  readonly tokensPerLine: number;
  /** `&&`, `||`, `??` and `?:` in 100 lines of code. */
  readonly logicPer100Lines: number;
  /** Outermost functions with a cognitive complexity over `MOST_COMPLEX`. */
  readonly complexFunctions: readonly string[];
  /** Outermost functions longer than `LONGEST_FUNCTION` lines. */
  readonly longFunctions: readonly string[];
  /** Variables, parameters and bindings with a name that says nothing. */
  readonly vagueNames: readonly string[];
  /** Names of types that are declared in more than one place. */
  readonly typesDeclaredTwice: readonly string[];
  readonly regexes: number;
  readonly longRegexes: readonly string[];
  readonly tokens: number;
}

const MOST_COMPLEX = 15;
const LONGEST_FUNCTION = 60;
const LONGEST_REGEX = 60;

/** Words that stand for a name: a reader must look up what they hold. */
const VAGUE_NAMES = new Set(
  "one other others found given made said own about rest thing things both any either".split(" "),
);

const LOGICAL_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** Measures sources, by their file names. */
export function measureThought(sources: ReadonlyMap<string, string>): Thought {
  const count = new ThoughtCount();
  for (const [file, text] of sources) count.addFile(file, text);
  return count.thought();
}

class ThoughtCount {
  private lines = 0;
  private tokens = 0;
  private logic = 0;
  private regexes = 0;
  private readonly complexFunctions: string[] = [];
  private readonly longFunctions: string[] = [];
  private readonly vagueNames: string[] = [];
  private readonly longRegexes: string[] = [];
  private readonly placesByType = new Map<string, string[]>();

  addFile(file: string, text: string): void {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    this.lines += countCodeLines(text);
    this.addNode(source, source);
  }

  thought(): Thought {
    const typesDeclaredTwice = [...this.placesByType]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => `${places.join(", ")} ${name}`);
    return {
      tokensPerLine: this.tokens / Math.max(1, this.lines),
      logicPer100Lines: (100 * this.logic) / Math.max(1, this.lines),
      complexFunctions: this.complexFunctions,
      longFunctions: this.longFunctions,
      vagueNames: this.vagueNames,
      typesDeclaredTwice,
      regexes: this.regexes,
      longRegexes: this.longRegexes,
      tokens: this.tokens,
    };
  }

  private addNode(node: ts.Node, source: ts.SourceFile): void {
    if (isToken(node)) this.tokens += 1;
    if (isLogical(node) || ts.isConditionalExpression(node)) this.logic += 1;
    if (ts.isRegularExpressionLiteral(node)) this.addRegex(node, source);
    if (isBinding(node)) this.addBinding(node, source);
    if (isTypeDeclaration(node)) this.addType(node, source);
    if (isOutermostFunction(node)) this.addFunction(node, source);
    ts.forEachChild(node, (child) => this.addNode(child, source));
  }

  private addRegex(node: ts.RegularExpressionLiteral, source: ts.SourceFile): void {
    this.regexes += 1;
    if (node.getText().length > LONGEST_REGEX) this.longRegexes.push(placeOf(node, source));
  }

  private addBinding(node: Binding, source: ts.SourceFile): void {
    if (!ts.isIdentifier(node.name) || !VAGUE_NAMES.has(node.name.text)) return;
    this.vagueNames.push(`${placeOf(node, source)} ${node.name.text}`);
  }

  private addType(node: TypeDeclaration, source: ts.SourceFile): void {
    const name = node.name?.text;
    if (name === undefined) return;
    const places = this.placesByType.get(name) ?? [];
    this.placesByType.set(name, [...places, placeOf(node, source)]);
  }

  private addFunction(node: ts.FunctionLikeDeclaration, source: ts.SourceFile): void {
    const place = `${placeOf(node, source)} ${nameOf(node)}`.trimEnd();
    const complexity = complexityOf(node);
    if (complexity > MOST_COMPLEX) this.complexFunctions.push(`${place}: ${complexity}`);
    const length = lineOf(node.end, source) - lineOf(node.getStart(), source) + 1;
    if (length > LONGEST_FUNCTION) this.longFunctions.push(`${place}: ${length} lines`);
  }
}

/**
 * Cognitive complexity as SonarSource defines it: 1 for each break of the flow, and 1 more for each level
 * that it stands in. A row of the same logical operator counts once.
 */
export function complexityOf(declaration: ts.FunctionLikeDeclaration): number {
  return declaration.body === undefined ? 0 : complexityOfChildren(declaration.body, 0);
}

function complexityOfNode(node: ts.Node, depth: number): number {
  if (ts.isIfStatement(node)) return complexityOfIf(node, depth);
  if (breaksTheFlow(node)) return 1 + depth + complexityOfChildren(node, depth + 1);
  const ofOperator = isLogical(node) && !continuesItsParent(node) ? 1 : 0;
  return ofOperator + complexityOfChildren(node, ts.isFunctionLike(node) ? depth + 1 : depth);
}

function complexityOfIf(node: ts.IfStatement, depth: number): number {
  const { expression, thenStatement, elseStatement } = node;
  const ofIf = isElseIf(node) ? 1 : 1 + depth;
  const ofParts = complexityOfNode(expression, depth) + complexityOfNode(thenStatement, depth + 1);
  return ofIf + ofParts + (elseStatement ? complexityOfElse(elseStatement, depth) : 0);
}

function complexityOfElse(node: ts.Statement, depth: number): number {
  if (ts.isIfStatement(node)) return complexityOfNode(node, depth);
  return 1 + complexityOfNode(node, depth + 1);
}

function complexityOfChildren(node: ts.Node, depth: number): number {
  let score = 0;
  ts.forEachChild(node, (child) => {
    score += complexityOfNode(child, depth);
  });
  return score;
}

function breaksTheFlow(node: ts.Node): boolean {
  return (
    ts.isConditionalExpression(node) ||
    ts.isSwitchStatement(node) ||
    ts.isCatchClause(node) ||
    ts.isIterationStatement(node, false)
  );
}

function isElseIf(node: ts.IfStatement): boolean {
  return ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && LOGICAL_OPERATORS.has(node.operatorToken.kind);
}

function continuesItsParent(node: ts.BinaryExpression): boolean {
  return isLogical(node.parent) && node.parent.operatorToken.kind === node.operatorToken.kind;
}

function isToken(node: ts.Node): boolean {
  return node.kind >= ts.SyntaxKind.FirstToken && node.kind <= ts.SyntaxKind.LastToken;
}

type Binding = ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement;

function isBinding(node: ts.Node): node is Binding {
  return ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
}

type TypeDeclaration = ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassDeclaration;

function isTypeDeclaration(node: ts.Node): node is TypeDeclaration {
  return (
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassDeclaration(node)
  );
}

function isOutermostFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  const hasBody = ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
  return hasBody && ts.findAncestor(node.parent, ts.isFunctionLike) === undefined;
}

function nameOf({ name, parent }: ts.FunctionLikeDeclaration): string {
  if (name !== undefined) return name.getText();
  return ts.isVariableDeclaration(parent) ? parent.name.getText() : "";
}

/** The lines that hold more than a comment. */
function countCodeLines(text: string): number {
  let count = 0;
  let isInComment = false;
  for (const line of text.split("\n").map((each) => each.trim())) {
    const isComment = isInComment || line.startsWith("/*");
    if (isComment) isInComment = !line.includes("*/");
    else if (line !== "" && !line.startsWith("//")) count += 1;
  }
  return count;
}

function placeOf(node: ts.Node, source: ts.SourceFile): string {
  return `${source.fileName}:${lineOf(node.getStart(), source)}`;
}

const lineOf = (position: number, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(position).line + 1;
