#!lua
-- FORCE: ends unsettled work in its owner's place, alive or not; an operator's act.
--
-- KEYS
--   *  the records, each followed by its steps; one may come more than once
-- ARGV, for each record in turn
--   1  fence that the operator saw
--   2  COMPLETED, with a result that is not kept, or FAILED, to be tried again at once
--   3  retention, ms
-- Replies, for each record in turn
--   OK                    ended, now or by an earlier call
--   LOST record           another fence, or settled for good
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only on PENDING and FAILED with this fence. The fence becomes the next one, and no owner is left: whatever its
--   owner writes later is LOST. Attempts and fingerprint stay. A repeated call writes nothing.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local NOBODY = string.rep('\0', 12)
local OMITTED = '\12idem.omitted' -- a result: length of the codec's name, the name
local ARGUMENTS = 3

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

-- Lets the remembered steps live as long as their record, unless they are those of an earlier record. They say until when
-- their record lived when they were written, and count if the present grant was given before. Redis keeps them for longer.
local function keep(steps, began, expiry)
  local known = redis.pcall('GET', steps)
  if type(known) == 'string' and #known > 14 and string.byte(known) == 0x33 and began < struct.unpack('>I6', known, 9) then
    redis.pcall('SET', steps, string.sub(known, 1, 8) .. struct.pack('>I6', now + expiry) .. string.sub(known, 15), 'PX', 2 * expiry)
  end
end

local function force(key, steps, at_argument)
  local fence = tonumber(ARGV[at_argument + 1])
  local ending = ARGV[at_argument + 2]
  local retention = ARGV[at_argument + 3]

  local record = redis.pcall('GET', key)
  if not record then
    return {'LOST'}
  end
  if type(record) == 'table' then
    return string.find(record.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'not a string'} or {'ERROR', record.err}
  end

  local length, state = #record, string.byte(record)
  local open = length == 44 and (state == PENDING or state == FAILED)
  local settled = length >= 32 and (state == COMPLETED or state == REJECTED)
  if not open and not settled then
    return {'UNREADABLE', string.format('%d bytes that begin with 0x%02x', length, state or 0)}
  end

  local completes = ending == 'COMPLETED'
  local _, attempts, known_fence, at = struct.unpack('>BI2I7I6', record)
  local without_owner = state == FAILED and string.sub(record, 17, 28) == NOBODY
  local forced = completes and state == COMPLETED or not completes and without_owner
  if forced and known_fence == fence + 1 then
    return {'OK'}
  end
  if settled or known_fence ~= fence then
    return {'LOST', record}
  end

  local header = struct.pack('>BI2I7I6', completes and COMPLETED or FAILED, attempts, fence + 1, now)
  local ended = header .. (completes and '' or NOBODY) .. string.sub(record, 29, 44) .. (completes and OMITTED or '')
  if completes then
    redis.pcall('SET', steps, '', 'PX', 1)
  else
    keep(steps, at - 1, tonumber(retention))
  end
  local stored = redis.pcall('SET', key, ended, 'PX', retention)
  return stored.err and {'ERROR', stored.err} or {'OK'}
end

local replies = {}
for i = 1, #KEYS / 2 do
  replies[i] = force(KEYS[2 * i - 1], KEYS[2 * i], (i - 1) * ARGUMENTS)
end
return replies
