#!lua flags=allow-oom
-- FAIL: gives the key back for a retry after a delay.
--
-- KEYS
--   1  the record
-- ARGV
--   1  owner token, 12 bytes
--   2  fence of the grant
--   3  delay until the earliest retry, ms; 0: at once
--   4  retention, ms
-- Replies
--   OK                    given back, now or by an earlier call for this very grant
--   LOST record           somebody else's grant, or settled otherwise
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
-- Invariant
--   Writes only on PENDING with this owner and this fence; else the record stays byte-identical.
--   A repeated call that finds its own effect writes nothing.
--   Never deletes: fence, attempts, owner and fingerprint stay.

local key = KEYS[1]
local owner = ARGV[1]
local fence = tonumber(ARGV[2])
local delay = tonumber(ARGV[3])
local retention = tonumber(ARGV[4])

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

local same_fence = struct.unpack('>I7', record, 4) == fence
local same_owner = open and string.sub(record, 17, 28) == owner
if not (same_fence and same_owner) then
  return {'LOST', record}
end
if state == FAILED then
  return {'OK'}
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local failed = struct.pack('>B', FAILED) .. string.sub(record, 2, 10) .. struct.pack('>I6', now + delay)
  .. string.sub(record, 17)
redis.call('SET', key, failed, 'PX', retention >= delay and ARGV[4] or ARGV[3])
return {'OK'}
