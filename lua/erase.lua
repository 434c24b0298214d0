#!lua flags=allow-oom
-- ERASE: puts a settled record's result or reason, and the results of its steps, away for good; an operator's act.
--
-- KEYS
--   *  the records, each followed by its steps; one may come more than once
-- ARGV, for each record in turn
--   1  what stands for a result from now on, in the form that results have
-- Replies, for each record in turn
--   OK                    put away, now or by an earlier call
--   LOST record           not settled: there is nothing to put away, or not yet
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   State, attempts, fence, fingerprint, moment and expiry stay: duplicates are still not run. Steps still count as done.
--   Writes only on COMPLETED with a result, and on REJECTED with a reason. A repeated call writes nothing.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local ARGUMENTS = 1

-- The remembered steps: format, life 7, end of the record 6; each step: kind, length of its id, id, fence 7, length of its
-- result 4, result.
local STEPS = 0x33

local function erase_steps(key, placeholder)
  local known = redis.pcall('GET', key)
  if type(known) ~= 'string' or string.byte(known) ~= STEPS then
    return
  end
  local erased, at = string.sub(known, 1, 14), 15
  while at <= #known do
    local length = string.byte(known, at + 1)
    local head = 9 + (length or 0)
    if not length or #known < at + head + 3 then
      return
    end
    local size = struct.unpack('>I4', known, at + head)
    local result = size == 0 and '' or placeholder
    erased = erased .. string.sub(known, at, at + head - 1) .. struct.pack('>I4', #result) .. result
    at = at + head + 4 + size
  end
  redis.pcall('SET', key, erased, 'KEEPTTL')
end

local function erase(key, steps, at_argument)
  local placeholder = ARGV[at_argument + 1]

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
  if open then
    return {'LOST', record}
  end

  erase_steps(steps, placeholder)
  local erased = string.sub(record, 1, 32) .. (state == COMPLETED and placeholder or '')
  if length == 32 or record == erased then
    return {'OK'}
  end
  local stored = redis.pcall('SET', key, erased, 'KEEPTTL')
  return stored.err and {'ERROR', stored.err} or {'OK'}
end

local replies = {}
for i = 1, #KEYS / 2 do
  replies[i] = erase(KEYS[2 * i - 1], KEYS[2 * i], (i - 1) * ARGUMENTS)
end
return replies
