/**
 * Imports a package that only some need, and that npm does not install with toolmend.
 *
 * @param name The package.
 * @param purpose What it is wanted for, after "Only it".
 * @throws Error that says what to install.
 */
export async function importOptional<Module>(name: string, purpose: string): Promise<Module> {
  try {
    return (await import(name)) as Module;
  } catch (error) {
    throw new Error(
      `${name} is not installed, or does not load. Only it ${purpose}: npm install ${name}`,
      {
        cause: error,
      },
    );
  }
}
