import { fileURLToPath } from "node:url";
import { findChromium, launchChromium } from "./browser.ts";
import { runClickAgent } from "./run-click-agent.ts";

const executablePath = findChromium();
if (executablePath === undefined) {
  console.error(
    "There is no Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.",
  );
  process.exit(1);
}

const browser = await launchChromium(executablePath);
try {
  const tab = await browser.newPage({ viewport: { width: 800, height: 480 } });
  const { intermediateSteps } = await runClickAgent(tab, import.meta.url);

  for (const { action, observation } of intermediateSteps) {
    console.log(
      `The model wrote  ${action.nameRepair?.before ?? action.tool} ${JSON.stringify(action.rawToolInput)}`,
    );
    if (action.valid) {
      console.log(`The tool ran     ${action.tool} ${JSON.stringify(action.toolInput)}`);
    }
    console.log(`The model gets   ${observation}\n`);
  }
  console.log(`The page says    ${await tab.locator("#receipt").innerText()}`);

  const screenshot = fileURLToPath(new URL("screenshot.png", import.meta.url));
  await tab.screenshot({ path: screenshot });
  console.log(`Screenshot:      ${screenshot}`);
} finally {
  await browser.close();
}
