/** The result of a method for a call that it rejects. */
export const REFUSED = Symbol("refused");

/**
 * @typedef {{ name: string, description?: string, schema: any }} Tool
 * @typedef {{ name: string, args: unknown, agent?: "native" | "text" }} Call `agent: "text"`: the
 *   arguments are what a text agent wrote as the tool's input.
 * @typedef {(call: Call) => Call | typeof REFUSED | Promise<Call | typeof REFUSED>} Repair The call
 *   to run, or REFUSED; a throw is a rejection too.
 * @typedef {object} Method
 * @property {string} name The row's head.
 * @property {string} uses The packages it uses, whose versions RESULTS.md states.
 * @property {(tools: readonly Tool[]) => Repair} prepare Prepares the offered tools once; returns
 *   the function that is called, and timed, for every call.
 */

/**
 * A method that repairs the input of a tool whose name is right, as all but toolmend do.
 *
 * @param {string} name
 * @param {string} uses
 * @param {(tool: Tool) => (args: unknown) => unknown} prepareTool Returns, for a tool, the function
 *   from arguments to an input, or REFUSED.
 * @returns {Method}
 */
export function perTool(name, uses, prepareTool) {
  const prepared = new WeakMap();
  return { name, uses, prepare };

  function prepare(tools) {
    const repairs = new Map(tools.map((tool) => [tool.name, () => repairOf(tool)]));
    return (call) => {
      const args = repairs.get(call.name)?.()(call.args) ?? REFUSED;
      return args === REFUSED ? REFUSED : { name: call.name, args };
    };
  }

  function repairOf(tool) {
    const known = prepared.get(tool);
    if (known !== undefined) return known;
    const repair = prepareTool(tool);
    prepared.set(tool, repair);
    return repair;
  }
}
