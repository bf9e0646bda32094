/** What a web agent can do to a page. */
export interface WebPage {
  /** Clicks an element; throws where there is none. */
  click(selector: string): Promise<void>;
  /** Types into an element, `delay` milliseconds between two keys; throws where there is none. */
  type(selector: string, text: string, delay?: number): Promise<void>;
  /** Opens an address. */
  open(url: string, newTab?: boolean): Promise<void>;
  /** The selector of the element at a point; `undefined` where there is none. */
  selectorAt(x: number, y: number): Promise<string | undefined>;
}
