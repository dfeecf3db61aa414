import { createHash } from 'node:crypto';

const [site, id] = process.argv.slice(2);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

const { maxnumber, ...challenge } = await (await fetch(`${site}/challenge`)).json();

let number = 0;
while (number < maxnumber && sha256(challenge.salt + number) !== challenge.challenge) number += 1;

const proof = btoa(JSON.stringify({ ...challenge, number }));
const answer = await fetch(`${site}/lookup`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ discord_id: id, proof }),
});

console.log(answer.status, await answer.json());
