// Only to be run when the pictures change. One has no words, for sites whose own name stands beside it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findTestBrowser } from './browser.mjs';

const PUBLIC = new URL('../src/web/public/', import.meta.url);
const SIZE = { width: 1200, height: 630 };

const mark = readFileSync(new URL('favicon.svg', PUBLIC), 'utf8').replace(
  '<svg',
  '<svg x="80" y="163" width="116" height="116"',
);
const bar = (x, y, width, height, fill) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}" fill="${fill}"/>`;
const fact = (x, width) =>
  `<rect x="${x}" y="433" width="${width}" height="96" rx="16" fill="#1d2136"/>` +
  bar(x + 20, 455, width * 0.36, 12, '#5d6488') +
  bar(x + 20, 483, width - 52, 18, '#c9d0f5');

const NAME = `<text x="222" y="241" font-family="Figtree" font-weight="750" font-size="66" letter-spacing="-1.6" fill="#eef0fd">Whoflake</text>`;
const font = readFileSync(new URL('../ui/fonts/figtree-basic.woff2', PUBLIC)).toString('base64');

const drawing = (name) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
  <clipPath id="card"><rect x="560" y="65" width="560" height="500" rx="32"/></clipPath>
  <rect width="1200" height="630" fill="#0b0d18"/>
  <circle cx="900" cy="230" r="610" fill="#11122a"/>
  <circle cx="900" cy="230" r="480" fill="#181738"/>
  <circle cx="900" cy="230" r="360" fill="#211e4b"/>
  ${mark}${name}
  <rect x="80" y="315" width="440" height="92" rx="26" fill="#151829" stroke="#39406a" stroke-width="2"/>
  <text x="106" y="370" font-family="DejaVu Sans Mono, monospace" font-size="26" fill="#eceef7">776367000573177858</text>
  <rect x="432" y="327" width="76" height="68" rx="18" fill="#93a5ff"/>
  <path d="M456 361h26m-10-11 11 11-11 11" fill="none" stroke="#10131f" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>
  <g clip-path="url(#card)">
    <rect x="560" y="65" width="560" height="500" fill="#151829"/>
    <rect x="560" y="65" width="560" height="172" fill="#4656d6"/>
    <circle cx="820" cy="300" r="190" fill="#6a5cf0"/>
    <circle cx="1010" cy="310" r="210" fill="#8b6cff"/>
    <circle cx="1130" cy="290" r="150" fill="#ff8cc2"/>
    <rect x="560" y="237" width="560" height="328" fill="#151829"/>
  </g>
  <rect x="560" y="65" width="560" height="500" rx="32" fill="none" stroke="#39406a" stroke-width="2"/>
  <circle cx="668" cy="237" r="76" fill="#151829"/>
  <circle cx="668" cy="237" r="68" fill="none" stroke="#8b6cff" stroke-width="4"/>
  <circle cx="668" cy="237" r="60" fill="#5fb8f5"/>
  <circle cx="668" cy="221" r="20" fill="#fff" opacity=".92"/>
  <path d="M630 277a38 34 0 0 1 76 0 60 60 0 0 1-76 0Z" fill="#fff" opacity=".92"/>
  ${bar(596, 339, 260, 30, '#eceef7')}
  ${bar(872, 341, 62, 26, '#93a5ff')}
  ${bar(596, 387, 168, 18, '#7c84ab')}
  ${fact(596, 236)}${fact(848, 236)}
</svg>`;

const executablePath = findTestBrowser();
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: SIZE });
for (const [file, name] of [
  ['preview.png', NAME],
  ['preview-unnamed.png', ''],
]) {
  await page.setContent(`<style>
    @font-face { font-family: Figtree; src: url(data:font/woff2;base64,${font}); font-weight: 300 900 }
    body { margin: 0 } svg { display: block }
  </style>${drawing(name)}`);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: fileURLToPath(new URL(file, PUBLIC)) });
}
await browser.close();
