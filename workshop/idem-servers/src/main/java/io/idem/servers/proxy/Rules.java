package io.idem.servers.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a proxy is to do to its connections just now. Thread-safe. */
final class Rules {

    private boolean holding;
    private Optional<ReplyLoss> replyLoss = Optional.empty();
    private Optional<RequestLoss> requestLoss = Optional.empty();

    /** A request that contains the text, to be lost before the server sees it. */
    record RequestLoss(String text, CompletableFuture<Void> happened) {}

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

    synchronized CompletableFuture<Void> loseRequest(String text) {
        RequestLoss loss = new RequestLoss(text, new CompletableFuture<>());
        requestLoss = Optional.of(loss);
        return loss.happened();
    }

    /** Whether this request may reach the server; one that is to be lost is lost once. */
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

    /** The loss that this request is to suffer, if any; given out once. */
    synchronized Optional<ReplyLoss> lossFor(byte[] request, int length) {
        String text = text(request, length);
        Optional<ReplyLoss> loss = replyLoss.filter(candidate -> text.contains(candidate.text()));
        if (loss.isPresent()) {
            replyLoss = Optional.empty();
        }
        return loss;
    }
}
