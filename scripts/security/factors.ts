import type { Group } from './attack.ts'

/** Attacks on second factors: by somebody who knows the password, or an open session. */
export const FACTORS: Group = {
  title: 'Second factors',
  attacks: [
    {
      id: 'SF1',
      did: 'The ticket of a half-done sign-in was used again, later, as a session, or after the password was changed.',
      why: 'A ticket counts once and for five minutes, for the second step alone, and ends with everything that ends sessions; its hash is stored.',
    },
    {
      id: 'SF2',
      did: 'With the password and an open session, or on a trusted device, the factor was removed or the password changed.',
      why: 'What matters needs a complete proof of the last five minutes: a passkey, or password and code. A trusted device proves nothing.',
    },
    {
      id: 'SF3',
      did: 'A code was guessed, or used again by somebody who saw it.',
      why: 'Codes count once, in the row that the database changes; guesses are counted per ticket, account and address, and a right password resets none of that (RFC 6238 section 5.2, I12).',
    },
    {
      id: 'SF4',
      did: 'The answer of a passkey was sent again, later, or for another purpose.',
      why: 'A challenge counts once and for two minutes, for its own ticket and purpose.',
    },
    {
      id: 'SF5',
      did: 'A passkey was asked for by a page of another origin.',
      why: 'The origin that the browser signs must be the one that the challenge was made for, and the passkey must have been made for its host.',
    },
    {
      id: 'SF6',
      did: 'A copied authenticator signed in.',
      why: 'A counter that does not go up is refused.',
    },
    {
      id: 'SF7',
      did: 'Challenges that nobody answers filled the disk.',
      why: 'A network may ask for thirty at once and one every two seconds; they are removed after two minutes.',
    },
  ],
}
