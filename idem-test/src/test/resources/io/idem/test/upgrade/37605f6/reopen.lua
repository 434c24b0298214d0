#!lua
-- REOPEN: frees a settled or exhausted record for another attempt; an operator's act.
--
-- KEYS
--   1  the record
-- ARGV
--   1  fence that the operator saw
--   2  retention, ms
-- Replies
--   OK                    open again, now or by an earlier call
--   LOST record           another fence, or a live lease
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
-- Invariant
--   Fence and fingerprint stay, the count of attempts starts anew, no owner is left.
--   Never takes a live lease away. A repeated call writes nothing.

local key = KEYS[1]
local fence = tonumber(ARGV[1])
local retention = ARGV[2]

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1

local record = redis.pcall('GET', key)
if not record then
  return {'LOST'}
end
if type(record) == 'table' then
  return string.find(record.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'not a string'} or record
end

local length, state = #record, string.byte(record)
local open = length == 44 and (state == PENDING or state == FAILED)
local settled = length >= 32 and (state == COMPLETED or state == REJECTED)
if not open and not settled then
  return {'UNREADABLE', string.format('%d bytes that begin with 0x%02x', length, state or 0)}
end

local _, attempts, known_fence, at = struct.unpack('>BI2I7I6', record)

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

if known_fence ~= fence or (state == PENDING and at > now) then
  return {'LOST', record}
end
if state == FAILED and attempts == 0 then
  return {'OK'}
end

local reopened = struct.pack('>BI2I7I6', FAILED, 0, fence, now) .. string.rep('\0', 12)
  .. (open and string.sub(record, 29, 44) or string.sub(record, 17, 32))
redis.call('SET', key, reopened, 'PX', retention)
return {'OK'}
