#!lua flags=allow-oom
-- REMEMBER: keeps a step beside its record, so that no later attempt does it again.
--
-- KEYS
--   *  the records, each followed by its steps; one may come more than once
-- ARGV, for each record in turn
--   1  fence of the grant, 7 bytes; owner token, 12 bytes
--   2  lease, ms
--   3  retention, ms
--   4  life that the step belongs to, 7 bytes: the fence of the grant whose attempt remembered the first step
--   5  the step: kind (1: done, 2: begun), length of its id in one byte, id, fence 7, length of its result 4, result
-- Replies, for each record in turn
--   OK                    remembered, now or by an earlier call
--   LOST record           somebody else's grant, or settled
--   LOST                  there is no record
--   UNREADABLE what       not a record or not steps of this format; left as they are
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only while the record is PENDING with this owner and this fence, live or lapsed; never writes the record.
--   The first step of an id that was done counts; done beats begun. Steps of another life are replaced.
--   A repeated call writes its own effect again unchanged: what a replica confirms must contain this call.
--   Steps of an earlier record are replaced too: what is kept says until when its record lived, and counts if the present
--   grant was given before.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local STEPS = 0x33
local DONE = 1
local ARGUMENTS = 5

-- Whether the steps say that this one was done, or begun if it was only begun. Nothing if they are cut off.
local function contains(known, step)
  local kind, id = string.byte(step), string.sub(step, 3, 2 + string.byte(step, 2))
  local at = 1
  while at <= #known do
    local other, length = string.byte(known, at, at + 1)
    if not length or #known < at + 12 + length then
      return nil
    end
    if string.sub(known, at + 2, at + 1 + length) == id and (other == DONE or other == kind) then
      return true
    end
    at = at + 13 + length + struct.unpack('>I4', known, at + 9 + length)
  end
  return false
end

local function remember(key, steps, at_argument)
  local grant = ARGV[at_argument + 1]
  local lease = tonumber(ARGV[at_argument + 2])
  local retention = tonumber(ARGV[at_argument + 3])
  local life = ARGV[at_argument + 4]
  local step = ARGV[at_argument + 5]

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
  local mine = state == PENDING and string.sub(record, 4, 10) == string.sub(grant, 1, 7)
    and string.sub(record, 17, 28) == string.sub(grant, 8, 19)
  if not mine then
    return {'LOST', record}
  end

  local known = redis.pcall('GET', steps)
  if type(known) == 'table' then
    return string.find(known.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'steps that are not a string'} or {'ERROR', known.err}
  end
  if known and known ~= '' and (string.byte(known) ~= STEPS or #known < 14) then
    return {'UNREADABLE', 'steps of another format'}
  end

  local began = struct.unpack('>I6', record, 11) - lease
  local expiry = math.max(retention, lease)
  local counts = known and known ~= '' and string.sub(known, 2, 8) == life and began < struct.unpack('>I6', known, 9)
  local known_steps = counts and string.sub(known, 15) or ''
  local contained = contains(known_steps, step)
  if contained == nil then
    return {'UNREADABLE', 'steps that are cut off'}
  end
  if not contained then
    known_steps = known_steps .. step
  end
  local kept = string.char(STEPS) .. life .. struct.pack('>I6', began + expiry) .. known_steps
  local stored = redis.pcall('SET', steps, kept, 'PX', 2 * expiry)
  return stored.err and {'ERROR', stored.err} or {'OK'}
end

local replies = {}
for i = 1, #KEYS / 2 do
  replies[i] = remember(KEYS[2 * i - 1], KEYS[2 * i], (i - 1) * ARGUMENTS)
end
return replies
