export function listenForSilence(silentMs: number, onSilent: () => void): { heard(): void; stop(): void }
