import { all } from "../../../../smoke/all.mjs";

export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(await all());
}
