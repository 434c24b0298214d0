package io.idem.internal.redis.client;

import io.idem.spi.RecordLister;
import io.lettuce.core.KeyScanCursor;
import java.util.List;

/**
 * What one SCAN found.
 *
 * @param next cursor of the next part; {@link RecordLister#START} if this was the last one
 */
public record ScanPart(List<byte[]> keys, String next) {

    /** Of a server whose next cursors have something in front. */
    static ScanPart of(KeyScanCursor<byte[]> found, String before, String afterTheLast) {
        return new ScanPart(found.getKeys(), found.isFinished() ? afterTheLast : before + found.getCursor());
    }
}
