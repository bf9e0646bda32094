/** The actions of a web agent on a page. */
export interface WebPage {
  /** Clicks an element; throws if it does not exist. */
  click(selector: string): Promise<void>;
  /**
   * Types into an element, with `delay` milliseconds between two keys; throws if it does not exist.
   */
  type(selector: string, text: string, delay?: number): Promise<void>;
  /** Opens an address. */
  open(url: string, newTab?: boolean): Promise<void>;
  /** The selector of the element at a point; `undefined` if the point is empty. */
  selectorAt(x: number, y: number): Promise<string | undefined>;
}
