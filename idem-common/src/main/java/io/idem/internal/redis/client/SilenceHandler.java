package io.idem.internal.redis.client;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that receives nothing although a request is pending, because the network to this server may be
 * dropping everything while the connections to other servers work. Lettuce then connects again.
 */
final class SilenceHandler extends ChannelDuplexHandler {

    private static final int CHECKS_PER_SILENCE = 2;

    private final long longest;
    private long askedAt;
    private boolean asked;
    private @Nullable ScheduledFuture<?> check;

    SilenceHandler(Duration longest) {
        this.longest = longest.toNanos();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        long pause = Math.max(1, longest / CHECKS_PER_SILENCE);
        check = context.executor()
                .scheduleAtFixedRate(() -> closeIfSilent(context), pause, pause, TimeUnit.NANOSECONDS);
    }

    private void closeIfSilent(ChannelHandlerContext context) {
        if (asked && System.nanoTime() - askedAt > longest) {
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
