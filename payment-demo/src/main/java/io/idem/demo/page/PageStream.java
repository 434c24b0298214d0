package io.idem.demo.page;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Sends every open page what changed, a few times a second: first everything, then only what is new to that page. */
@RestController
class PageStream implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PageStream.class);
    private static final int MOST_PAGES = 16;
    private static final long PAUSE_MILLIS = 150;
    private static final int TICKS_OF_SILENCE = 40;
    private static final long FOREVER = 0;

    private final Playground playground;
    private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "page-stream"));

    PageStream(Playground playground) {
        this.playground = playground;
        var unused = timer.scheduleWithFixedDelay(this::tick, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @GetMapping("/stream")
    SseEmitter open() {
        if (viewers.size() >= MOST_PAGES) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "Too many pages are open");
        }
        Viewer viewer = new Viewer(playground, new SseEmitter(FOREVER));
        viewer.emitter.onCompletion(() -> viewers.remove(viewer));
        viewer.emitter.onTimeout(() -> viewers.remove(viewer));
        viewer.emitter.onError(gone -> viewers.remove(viewer));
        viewers.add(viewer);
        return viewer.emitter;
    }

    private void tick() {
        viewers.removeIf(viewer -> !isThere(viewer));
    }

    private static boolean isThere(Viewer viewer) {
        try {
            return viewer.tick();
        } catch (RuntimeException broken) {
            LOG.warn("A page could not be told what changed; it is tried again", broken);
            return true;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        viewers.forEach(viewer -> viewer.emitter.complete());
    }

    /** An open page. Used by the timer's thread only. */
    private static final class Viewer {

        private final Playground playground;
        private final SseEmitter emitter;
        private Frame latest = new Frame(0, List.of(), List.of(), LedgerView.EMPTY, NONE, "");
        private boolean greeted;
        private int silent;

        private static final MachinesView NONE = new MachinesView(List.of(), MachinesView.Redis.NOT_OURS);

        Viewer(Playground playground, SseEmitter emitter) {
            this.playground = playground;
            this.emitter = emitter;
        }

        /** Returns whether the page is still connected. */
        boolean tick() {
            Frame frame = playground.since(latest.version());
            try {
                if (!greeted || !same(frame)) {
                    emitter.send(SseEmitter.event()
                            .name(greeted ? "change" : "everything")
                            .data(frame));
                    greeted = true;
                    silent = 0;
                } else if (++silent == TICKS_OF_SILENCE) {
                    emitter.send(SseEmitter.event().comment("still here"));
                    silent = 0;
                }
            } catch (IOException | IllegalStateException gone) {
                return false;
            }
            latest = frame;
            return true;
        }

        private boolean same(Frame frame) {
            return frame.version() == latest.version()
                    && frame.ledger().equals(latest.ledger())
                    && frame.machines().equals(latest.machines())
                    && frame.last().equals(latest.last());
        }
    }
}
