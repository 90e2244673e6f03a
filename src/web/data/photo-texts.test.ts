import { describe, expect, it } from 'bun:test'
import { cameraClock, exposureText, placeAddress, placeText, zoneText } from './photo-texts.ts'

describe('the texts of a photo', () => {
  it('show the clock of the camera, whatever the time zone here', () => {
    const shown = cameraClock(Date.UTC(2024, 6, 19, 12, 3, 5))
    expect([shown.getFullYear(), shown.getMonth(), shown.getDate(), shown.getHours(), shown.getMinutes(), shown.getSeconds()]).toEqual([
      2024, 6, 19, 12, 3, 5,
    ])
  })

  it('name the offset of that clock, unless it is ours or unknown', () => {
    const taken = Date.UTC(2024, 6, 19, 12)
    const ours = -cameraClock(taken).getTimezoneOffset()
    expect([330, -210, -480, ours, null].map((offset) => zoneText({ taken, offset }))).toEqual(['UTC+5:30', 'UTC−3:30', 'UTC−8', '', ''])
  })

  it('have exposures as cameras show them', () => {
    expect([1 / 250, 0.0125, 0.5, 1.3, 30].map((seconds) => exposureText(seconds, String))).toEqual(['1/250', '1/80', '0.5', '1.3', '30'])
  })

  it('have places as numbers and as an address for the map of the device', () => {
    const place = { latitude: -33.857, longitude: 151.215 }
    expect([placeText(place), placeAddress(place)]).toEqual(['-33.85700, 151.21500', 'geo:-33.857,151.215'])
  })
})
