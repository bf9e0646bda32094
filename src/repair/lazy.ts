/**
 * Puts off making a value until it is asked for, and makes it once.
 *
 * @param make Makes the value. If it throws, the next call tries again.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    if (made === undefined) made = { value: make() };
    return made.value;
  };
}
