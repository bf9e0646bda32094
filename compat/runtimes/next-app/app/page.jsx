"use client";
import { useEffect, useState } from "react";
import { core } from "../../smoke/core.mjs";

export default function Page() {
  const [said, say] = useState("");
  useEffect(() => void core().then((results) => say(JSON.stringify(results))), []);
  return <output>{said}</output>;
}
