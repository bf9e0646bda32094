/** No model is called, but BAML requires the name of a client. */
const HEAD = `client<llm> Nobody {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}
type Anything = int | float | bool | string | null | Anything[] | map<string, Anything>
`;

const ENTRY = `function Read() -> Input {
  client Nobody
  prompt #"{{ ctx.output_format }}"#
}
`;

/**
 * Writes a tool's JSON Schema as BAML: a class for each object, a union of literals for each enum,
 * `?` for optional fields; a key that is not an identifier becomes an alias.
 *
 * @param {any} schema
 * @returns {string} A BAML file whose function `Read` returns the input.
 */
export function toBaml(schema) {
  const classes = [];
  const named = new Map();
  const input = typeOf(schema, "Input");
  if (input !== "Input") classes.push(`type Input = ${input}`);
  return [HEAD, ...classes, ENTRY].join("\n");

  function typeOf(one, name) {
    if (typeof one !== "object" || one === null) return "Anything";
    if (typeof one.$ref === "string") return reference(one.$ref);
    if (one.const !== undefined) return literals([one.const]);
    if (Array.isArray(one.enum)) return literals(one.enum);
    const branches = one.anyOf ?? one.oneOf ?? one.type;
    if (Array.isArray(branches))
      return `(${branches.map((branch, index) => typeOf(ofBranch(one, branch), `${name}Or${index}`)).join(" | ")})`;
    switch (one.type ?? (one.properties === undefined ? undefined : "object")) {
      case "object":
        return ofObject(one, name);
      case "array":
        return `${typeOf(one.items ?? true, `${name}Item`)}[]`;
      case "string":
        return "string";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "null";
      default:
        return "Anything";
    }
  }

  function ofObject({ properties = {}, required = [], additionalProperties }, name) {
    const keys = Object.keys(properties);
    if (keys.length === 0) return `map<string, ${typeOf(additionalProperties, `${name}Value`)}>`;
    const fields = keys.map((key, index) => {
      const type = typeOf(properties[key], `${name}F${index}`);
      const optional = required.includes(key) ? "" : "?";
      return `  f${index} ${type}${optional} @alias(${JSON.stringify(key)})`;
    });
    classes.push(`class ${name} {\n${fields.join("\n")}\n}`);
    return name;
  }

  function reference(to) {
    if (to === "#") return "Input";
    const known = named.get(to);
    if (known !== undefined) return known;
    const name = `Named${named.size}`;
    named.set(to, name);
    const steps = to.split("/").slice(1);
    const type = typeOf(
      steps.reduce((value, step) => value?.[step], schema),
      name,
    );
    if (type !== name) classes.push(`type ${name} = ${type}`);
    return name;
  }
}

function ofBranch({ anyOf: _, oneOf: __, type: ___, ...rest }, branch) {
  return typeof branch === "string" ? { ...rest, type: branch } : branch;
}

/** BAML has literals of strings, integers and booleans only. */
function literals(values) {
  const types = values.map((value) => {
    if (typeof value === "number") return Number.isInteger(value) ? String(value) : "float";
    return value === null || typeof value === "boolean" ? String(value) : JSON.stringify(value);
  });
  return types.length === 1 ? types[0] : `(${[...new Set(types)].join(" | ")})`;
}
