package io.idem.servers.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The current rules of a proxy for its connections. Thread-safe. */
final class Rules {

    private boolean holding;
    private Optional<ReplyLoss> replyLoss = Optional.empty();
    private Optional<RequestLoss> requestLoss = Optional.empty();

    /** A pending loss of a request that contains the text, before it reaches the server. */
    record RequestLoss(String text, CompletableFuture<Void> happened) {}

    /** A pending loss of the reply to a request that contains the text. */
    record ReplyLoss(String text, CompletableFuture<Void> happened) {}

    synchronized void hold() {
        holding = true;
    }

    synchronized void pass() {
        holding = false;
        notifyAll();
    }

    /** Blocks while traffic is held back. */
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

    synchronized CompletableFuture<Void> loseRequest(String text) {
        RequestLoss loss = new RequestLoss(text, new CompletableFuture<>());
        requestLoss = Optional.of(loss);
        return loss.happened();
    }

    /** Returns whether this request may reach the server. A pending loss applies once. */
    synchronized boolean passes(byte[] request, int length) {
        String text = text(request, length);
        Optional<RequestLoss> loss = requestLoss.filter(candidate -> text.contains(candidate.text()));
        loss.ifPresent(lost -> {
            requestLoss = Optional.empty();
            lost.happened().complete(null);
        });
        return loss.isEmpty();
    }

    private static String text(byte[] request, int length) {
        return new String(request, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Returns the pending loss of the reply to this request, if any, and removes it. */
    synchronized Optional<ReplyLoss> lossFor(byte[] request, int length) {
        String text = text(request, length);
        Optional<ReplyLoss> loss = replyLoss.filter(candidate -> text.contains(candidate.text()));
        if (loss.isPresent()) {
            replyLoss = Optional.empty();
        }
        return loss;
    }
}
