package io.idem.servers.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a proxy is to do to its connections just now. Thread-safe. */
final class Rules {

    private boolean holding;
    private Optional<ReplyLoss> replyLoss = Optional.empty();

    /** A reply to be lost, once a request that contains the text has been seen. */
    record ReplyLoss(String text, CompletableFuture<Void> happened) {}

    synchronized void hold() {
        holding = true;
    }

    synchronized void pass() {
        holding = false;
        notifyAll();
    }

    /** Blocks while everything is held back. */
    synchronized void awaitPassage() throws InterruptedException {
        while (holding) {
            wait();
        }
    }

    synchronized CompletableFuture<Void> loseReplyTo(String text) {
        ReplyLoss loss = new ReplyLoss(text, new CompletableFuture<>());
        replyLoss = Optional.of(loss);
        return loss.happened();
    }

    /** The loss that this request is to suffer, if any; given out once. */
    synchronized Optional<ReplyLoss> lossFor(byte[] request, int length) {
        String text = new String(request, 0, length, StandardCharsets.ISO_8859_1);
        Optional<ReplyLoss> loss = replyLoss.filter(candidate -> text.contains(candidate.text()));
        if (loss.isPresent()) {
            replyLoss = Optional.empty();
        }
        return loss;
    }
}
