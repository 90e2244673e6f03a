import Papa from 'papaparse'
import { NewPerson } from '../../../../shared/contract/people.ts'

/** Most people of one list. */
export const MOST_PEOPLE = 20_000

type Field = 'username' | 'address' | 'scope' | 'groups' | 'quota' | 'files'

const words = (...lines: readonly string[]): readonly string[] => lines.join('|').split('|')

/** Titles of columns, in lower case, as programs and people write them, in the languages of the product. */
const TITLES: Readonly<Record<Field, readonly string[]>> = {
  username: words(
    'username|user name|user|name|login|benutzername|benutzer|nombre de usuario|usuario|nombre',
    "nom d'utilisateur|nom d’utilisateur|utilisateur|nom|identifiant|notandanafn|notandi|nafn|nome utente",
    'utente|nome|ユーザー名|名前|사용자 이름|이름|gebruikersnaam|gebruiker|naam|nazwa użytkownika|użytkownik',
    'nazwa|nome de usuário|usuário|nome de utilizador|utilizador|nume de utilizator|utilizator|nume',
    'имя пользователя|пользователь|имя|логин|användarnamn|användare|namn|用户名|名称|使用者名稱|名稱',
    'اسم المستخدم|المستخدم|الاسم',
  ),
  address: words(
    'email|e-mail|mail|email address|e-mail address|mail address|address|e-mail-adresse|mailadresse|adresse',
    'correo|correo electrónico|dirección de correo|adresse e-mail|courriel|netfang|indirizzo e-mail|posta elettronica',
    'メール|メールアドレス|메일|이메일|메일 주소|e-mailadres|adres e-mail|endereço de e-mail|endereço de correio',
    'adresă de e-mail|адрес почты|почта|эл. почта|e-post|e-postadress|邮箱|邮箱地址|電子郵件|電子郵件地址',
    'البريد|البريد الإلكتروني|عنوان البريد',
  ),
  scope: words(
    'folder|scope|home|ordner|carpeta|dossier|mappa|cartella|フォルダー|フォルダ|폴더|map|pasta',
    'dosar|папка|mapp|文件夹|資料夾|المجلد',
  ),
  groups: words(
    'groups|group|gruppen|gruppe|grupos|grupo|groupes|groupe|hópar|hópur|gruppi|gruppo|グループ',
    '그룹|groepen|groep|grupy|grupa|grupuri|grup|группы|группа|grupper|grupp|群组|群組',
    'المجموعات|المجموعة',
  ),
  quota: words('quota|space|gigabytes|kontingent|speicherplatz|cuota|quotum|kvot|квота|配额|配額|الحصة'),
  files: words(
    'files|file quota|dateien|archivos|fichiers|skrár|file|ファイル|파일|bestanden|pliki|arquivos|ficheiros|fișiere|файлы|filer|文件|檔案|الملفات',
  ),
}
/** Of a list without titles. */
const ORDER: readonly Field[] = ['username', 'address', 'scope', 'groups', 'quota', 'files']

/** Why a line is not sent to the server, which would refuse the whole list. */
export type LineProblem = 'quotes' | 'long'

/** A person of a list. */
export interface ListedPerson {
  /** Of the list, from 1. */
  readonly line: number
  readonly person: Required<NewPerson>
  readonly problem: LineProblem | null
}

export interface PeopleList {
  readonly people: readonly ListedPerson[]
  /** Titles of columns that mean nothing, as they are written. */
  readonly unknown: readonly string[]
}

/**
 * Reads a list of people: CSV (RFC 4180) with commas, semicolons or tabs. The first row has the titles of the columns, in any order; without a title
 * for names, or two others, the columns are name, mail address, folder, groups, gigabytes and number of files. Several groups are separated by semicolons,
 * or by bars.
 * @returns the people, without empty rows, at most `MOST_PEOPLE` and one
 */
export function readPeopleList(text: string): PeopleList {
  const parsed = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimitersToGuess: [',', ';', '\t'], preview: MOST_PEOPLE + 2 })
  const { data, errors } = parsed
  const first = data[0] ?? []
  const titles = first.map(fieldOf)
  const hasTitles = titles.includes('username') || titles.filter((field) => field !== undefined).length > 1
  const fields = hasTitles ? titles : ORDER
  const wrongQuotes = new Set(errors.flatMap(({ type, row }) => (type === 'Quotes' && row !== undefined ? [row] : [])))
  const people = data.flatMap((row, at): ListedPerson[] => {
    if ((at === 0 && hasTitles) || row.every((cell) => cell.trim() === '')) return []
    const cell = (field: Field) => row[fields.indexOf(field)]?.trim() ?? ''
    const groups = cell('groups')
      .split(/[;|]/)
      .map((name) => name.trim())
      .filter((name) => name !== '')
    const person = {
      username: cell('username'),
      address: cell('address'),
      scope: cell('scope'),
      groups,
      quota: cell('quota'),
      files: cell('files'),
    }
    const isLong = !NewPerson.safeParse(person).success
    return [{ line: at + 1, person, problem: wrongQuotes.has(at) ? 'quotes' : isLong ? 'long' : null }]
  })
  return { people, unknown: hasTitles ? first.filter((title, at) => titles[at] === undefined && title.trim() !== '') : [] }
}

function fieldOf(title: string): Field | undefined {
  const written = title.trim().toLowerCase()
  return ORDER.find((field) => TITLES[field].includes(written))
}

/** A list of names and links as CSV. No cell can be taken for a formula by a spreadsheet. */
export function linksFile(rows: readonly { username: string; link: string }[]): string {
  return Papa.unparse(
    rows.map(({ username, link }) => [username, link]),
    { escapeFormulae: true, newline: '\r\n' },
  )
}
