/** Limits that server and browser share, with their unit in the name. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024
export const MAX_JSON_BODY_BYTES = 1024 * 1024
export const MAX_SHARE_DURATION = 2_147_483_647
/** Maximum of every count of a link: downloads, files, bytes, seconds. */
export const MAX_SHARE_COUNT = 999_999_999_999_999
export const MAX_SHARE_TITLE_CHARS = 120
export const MAX_SHARE_MESSAGE_CHARS = 2000
export const MAX_SHARE_TYPES = 50
export const MAX_SENDER_CHARS = 100
export const MAX_NOTE_CHARS = 1000
export const MAX_FAVOURITES = 200
/** Maximum number of recent files, and of visits in one request. */
export const MAX_RECENT = 50
/** Maximum number of uploaded ones among them: uploading a folder must not push out all others. */
export const MAX_RECENT_UPLOADS = 20
export const UPLOAD_SLOTS = 5
/** Files up to this size are uploaded by one POST, larger ones by tus. */
export const SINGLE_POST_BYTES = 8 * 1024 * 1024
/** Files up to this size are uploaded in bulk if many are waiting, because a request for each would take longer than its bytes. */
export const MAX_BULK_FILE_BYTES = 64 * 1024
export const MAX_BULK_FILES = 50
export const MAX_BULK_BYTES = 512 * 1024
/** Maximum length of the first line of a bulk request. */
export const MAX_BULK_HEAD_BYTES = 256 * 1024
export const BULK_FROM_FILES = 40
export const PROGRESS_EVERY_MS = 100
export const NOTICE_MS = 1000
export const CHUNK_LOAD_TIMEOUT_MS = 120_000
export const BREADCRUMB_SEGMENTS = 3
export const SEARCH_PAGE = 50
/** Each word of a query is compared with every name, so its length is limited. */
export const MAX_QUERY_CHARS = 512
/** Maximum size of PDFs, office documents and books in content searches; for texts it is `MAX_TEXT_BYTES`. */
export const MAX_SEARCHED_DOCUMENT_BYTES = 50 * 1024 * 1024
/** Limits of one content search: bytes read, time, and results. */
export const CONTENT_SEARCH_BYTES = 2 * 1024 ** 3
export const CONTENT_SEARCH_MS = 60_000
export const CONTENT_SEARCH_HITS = 1000
/** Maximum size of a document's text that is shown instead of its layout. */
export const MAX_SHOWN_DOCUMENT_TEXT_BYTES = 512 * 1024
/** Concurrent content searches, of one user and in total. */
export const CONTENT_SEARCHES_EACH = 2
export const CONTENT_SEARCHES = 4
/** Lines shown of a file, and approximate length of each. */
export const SNIPPETS = 3
export const SNIPPET_CHARS = 160
export const SHARE_PAGE_ITEMS = 500
export const DOUBLE_TAP_MS = 300
export const PREVIEW_HIDE_MS = 1500
export const PREVIEW_DEBOUNCE_MS = 500
export const ZOOM_MIN = 0.25
export const ZOOM_MAX = 4
export const ZOOM_STEP = 0.25
export const PINCH_MOVE_DISABLE_MS = 200
export const RESIZE_DEBOUNCE_MS = 100

/** Maximum length of a name in most file systems, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255
