import type { Group } from './attack.ts'

/** Attacks on OpenID Connect clients (RFC 9700, OpenID Connect Core 1.0 §16). Titles of their tests begin with the id. */
export const PROVIDERS: Group = {
  title: 'Sign-in through providers',
  attacks: [
    {
      id: 'O1',
      did: 'Somebody’s browser finished a sign-in that an attacker had begun (login CSRF), or an old one.',
      why: 'A random state and a cookie bind an answer to the browser that began; both count for ten minutes (I7).',
    },
    {
      id: 'O2',
      did: 'The address of a callback was used again.',
      why: 'Each step of a sign-in is taken once, by one statement in the database.',
    },
    {
      id: 'O3',
      did: 'A stolen code was put into the attacker’s own sign-in.',
      why: 'PKCE: the code needs a verifier that never leaves the server.',
    },
    { id: 'O4', did: 'An ID token of another sign-in was replayed.', why: 'It must have the nonce of this sign-in.' },
    {
      id: 'O5',
      did: 'A malicious provider passed an answer off as that of another one (mix-up).',
      why: '`iss` of the answer, the issuer of the ID token and a redirect address for each provider must fit.',
    },
    {
      id: 'O6',
      did: 'ID tokens were unsigned, or signed with the public key as a shared secret.',
      why: 'Every ID token must be signed by a key of the provider, with an asymmetric algorithm.',
    },
    {
      id: 'O7',
      did: 'An ID token for another client, or an expired one, was accepted.',
      why: 'Audience, authorised party, times and subject are checked.',
    },
    {
      id: 'O8',
      did: 'The sign-in led to a foreign site (open redirect).',
      why: 'Only paths of this server are kept; everything else means the files.',
    },
    {
      id: 'O9',
      did: 'An account was taken over by registering its name or mail address at a provider.',
      why: 'Only issuer and subject lead to an account; an equal name refuses the sign-in (I9).',
    },
    {
      id: 'O10',
      did: 'The same subject at another provider opened the account.',
      why: 'Accounts are connected by issuer and subject together.',
    },
    {
      id: 'O11',
      did: 'A removed account could still be signed in to through the provider.',
      why: 'Its connections are removed with it, and a home folder that is left is given to nobody (I9).',
    },
    {
      id: 'O12',
      did: 'A victim’s account was connected with the attacker’s identity (CSRF).',
      why: 'Connecting begins and ends with the token of the signed-in account, in one browser (I16).',
    },
    {
      id: 'O13',
      did: 'A logout token was replayed, or ended the sessions of others.',
      why: 'Its `jti` is remembered; it ends only what it names.',
    },
    {
      id: 'O14',
      did: 'A forged logout token ended sessions.',
      why: 'Signature, issuer, audience, age and event are checked; a nonce is refused.',
    },
    {
      id: 'O15',
      did: 'A browser that was still signed in at the provider confirmed who somebody is, without asking anybody.',
      why: 'To confirm, the provider must say that somebody signed in there within five minutes (`auth_time`).',
    },
  ],
}
