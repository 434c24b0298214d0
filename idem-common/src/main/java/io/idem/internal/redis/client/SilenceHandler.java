package io.idem.internal.redis.client;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which a request has been pending for one command timeout and nothing was heard for two: the
 * network to this server may be dropping everything while the connections to other servers work. The time before the
 * request counts, so that a connection which a firewall forgot while it was idle costs one command. Lettuce then
 * connects again.
 */
final class SilenceHandler extends ChannelDuplexHandler {

    private static final int CHECKS_PER_TIMEOUT = 4;

    private final long timeout;
    private long heardAt = System.nanoTime();
    private long askedAt;
    private boolean asked;
    private @Nullable ScheduledFuture<?> check;

    SilenceHandler(Duration timeout) {
        this.timeout = timeout.toNanos();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        long pause = Math.max(1, timeout / CHECKS_PER_TIMEOUT);
        check = context.executor()
                .scheduleAtFixedRate(() -> closeIfSilent(context), pause, pause, TimeUnit.NANOSECONDS);
    }

    private void closeIfSilent(ChannelHandlerContext context) {
        long now = System.nanoTime();
        if (asked && now - askedAt > timeout && now - heardAt > 2 * timeout) {
            var unused = context.close();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (!asked) {
            asked = true;
            askedAt = System.nanoTime();
        }
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        asked = false;
        heardAt = System.nanoTime();
        super.channelRead(context, message);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        ScheduledFuture<?> running = check;
        if (running != null) {
            running.cancel(false);
        }
    }
}
