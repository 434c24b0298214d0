package io.idem.applications.story;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects the warnings of idem on the thread that starts an application. */
final class StartWarnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Thread starting = Thread.currentThread();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.idem");
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    StartWarnings() {
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (Thread.currentThread() == starting && event.getLevel() == Level.WARN) {
            warnings.add(event.getFormattedMessage());
        }
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
    }
}
