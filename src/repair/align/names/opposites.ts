import { wordsOf } from "./fold-name.ts";
import { stemOf } from "./vocabulary.ts";

/** Words that mean opposite things: a name with one never stands for one with the other. */
const OPPOSITES: readonly (readonly [string, string])[] =
  "min max,minimum maximum,start end,begin end,begin finish,start finish,start stop,first last,from to,before after,since until,source destination,source target,source sink,src dst,old new,current new,current previous,in out,input output,inbound outbound,left right,top bottom,up down,upper lower,high low,front back,head tail,head base,prefix suffix,width height,horizontal vertical,row column,lat lon,lat lng,latitude longitude,altitude latitude,altitude longitude,x y,north south,east west,include exclude,add remove,create delete,insert delete,enable disable,enabled disabled,allow deny,grant revoke,lock unlock,mute unmute,show hide,visible hidden,public private,active inactive,active deleted,open close,opened closed,sender recipient,sender receiver,caller callee,origin destination,departure arrival,departure return,depart arrive,check-in check-out,a b,read write,get set,put get,push pull,send receive,upload download,import export,username password,true false,yes no,on off,parent child,ancestor descendant,predecessor successor,next previous,next prev,past future,question answer,request response,key value,accept reject,accept decline,approve reject,approve deny,approved rejected,approved denied,accepted rejected,accepted declined,pass fail,passed failed,success failure,win lose,win loss,winner loser,gain loss,profit loss,income expense,revenue cost,asset liability,supply demand,debit credit,debtor creditor,buy sell,buyer seller,bid ask,deposit withdrawal,deposit withdraw,borrow lend,borrower lender,landlord tenant,host guest,client server,client lawyer,doctor patient,teacher student,mentor mentee,husband wife,mother father,home away,local remote,internal external,domestic foreign,domestic international,billing shipping,primary secondary,gross net,plus minus,positive negative,increase decrease,ascending descending,asc desc,hot cold,day night,actual expected,ours theirs,cause effect,pros cons,ally enemy,attacker defender,attack defense,absolute relative,male female,wet dry,execute dry,encrypt decrypt,login logout,install uninstall,install remove,sync async,to cc,to bcc,cc bcc,to reply"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]);

/** By word, what says the contrary. */
const CONTRARIES: ReadonlyMap<string, readonly string[]> = contrariesOf(OPPOSITES);

function contrariesOf(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [one, other] of pairs) {
    found.set(one, [...(found.get(one) ?? []), other]);
    found.set(other, [...(found.get(other) ?? []), one]);
  }
  return found;
}

const SIDES: ReadonlySet<string> = new Set(OPPOSITES.flat());

/** Words that turn round, bound or combine what they are said of. */
const OPERATORS: ReadonlySet<string> = new Set(
  "not no non none never except exclude excluded excludes excluding without skip skipped skipping keep ignore ignored omit lt gt lte gte eq ne neq in nin min max before after since until or and nor xor any all less more greater than over under above below undo disable deny block reject negate unless only via by through per pre post anti counter".split(
    " ",
  ),
);

/** Words that make a thing another of its kind: the error's message, the backup's path. */
const OTHERS: ReadonlySet<string> = new Set(
  "backup default fallback temp temporary draft example sample error failed failure cancelled canceled forbidden alternative alternate alt original prev expected actual other another emergency callback webhook redirect return reply root test mock fake demo dummy competitor rival manager owner opposite cc bcc target related linked nested outer inner final initial interim third second fourth opposing opponent avoid rollback revert container wrapper scroll log proxy mirror shadow drop sub co super semi filter work home office counter excluded blocked banned init differential provisional preliminary suspected".split(
    " ",
  ),
);

/** Nouns that end like those of a part that somebody plays, and are things. */
const THINGS: ReadonlySet<string> = new Set(
  "number order user server folder filter parameter container header footer layer letter paper power river water weather computer printer color error vector selector editor operator sensor character chapter register identifier locator counter timer trigger pointer buffer router cluster adapter driver monitor processor descriptor indicator factor floor door mirror corner center offer answer matter cover marker slider tier quarter newsletter poster trailer summer winter dinner flavor behavior harbor odor humor anchor tensor cursor author customer member".split(
    " ",
  ),
);

const NEGATIONS = ["un", "in", "im", "ir", "il", "dis", "non", "de", "anti", "mis"];

/** Whether a key is an operator, or has one in it: what stands at it is not the thing itself. */
export function isOperator(key: string): boolean {
  return /^[!~^<>=$¬-]/u.test(key.trim()) || wordsOf(key).some((word) => OPERATORS.has(word));
}

/** Whether a word says which of several a field is: a side, a bound, another one of its kind. */
function isSide(word: string): boolean {
  return [word, stemOf(word)].some(
    (each) => SIDES.has(each) || OPERATORS.has(each) || OTHERS.has(each),
  );
}

/** Whether a word says which of several a field is, or the part that somebody plays (`payer`). */
export function isRole(word: string): boolean {
  return isPart(word) || isSide(word);
}

/** Whether a word names the part that somebody plays: `payer`, `trustee`. */
export function isPart(word: string): boolean {
  const stem = stemOf(word);
  return /^[a-z]{2,}(?:er|or|ee|ist)$/.test(stem) && stem.length > 4 && !THINGS.has(stem);
}

/** Whether a name has a word that says which of several it is: `old`, `from`, `backup`. */
export function namesSide(name: string): boolean {
  return wordsOf(name).some(isSide);
}

/** Whether a name has a word that says which of several it is. */
export function namesRole(name: string): boolean {
  return wordsOf(name).some(isRole);
}

/** Whether one name says the contrary of the other, or the same of another thing. */
export function areOpposite(one: readonly string[], other: readonly string[]): boolean {
  const isContrary = one.some(
    (word) =>
      !other.includes(word) &&
      CONTRARIES.get(word)?.some((contrary) => other.includes(contrary) && !one.includes(contrary)),
  );
  if (isContrary) return true;
  if (isNegated(one, other) || isNegated(other, one)) return true;
  // `user_id` and `order_id`: what an id names is never guessed.
  const [last, otherLast] = [one.at(-1), other.at(-1)];
  if (last !== "id" || otherLast !== "id" || one.length < 2 || other.length < 2) return false;
  return !one.slice(0, -1).some((word) => other.includes(word));
}

/** `unsubscribed` and `subscribed`. */
function isNegated(words: readonly string[], others: readonly string[]): boolean {
  return others.some(
    (other) => other.length > 3 && NEGATIONS.some((prefix) => words.includes(prefix + other)),
  );
}
