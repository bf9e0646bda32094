import { isLike, type Likeness } from "../../repair/errors/likeness.ts";

type HasInstance = (this: unknown, value: unknown) => boolean;

/**
 * Makes `Symbol.hasInstance` of an exception class, which takes the exceptions of every copy. A
 * subclass, which inherits it, still knows only its own.
 *
 * @param exception The class.
 * @param likeness What its exceptions are like.
 * @returns What makes it of the original.
 */
export function hookInstanceof(
  exception: unknown,
  likeness: Likeness,
): (original: HasInstance) => HasInstance {
  return (original) =>
    function hasInstance(value) {
      return original.call(this, value) || (this === exception && isLike(value, likeness));
    };
}
