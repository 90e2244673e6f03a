export function startPostgres(): Promise<{ url: string; restart: () => void; stop: () => void }>
