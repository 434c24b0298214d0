package io.idem.consumer.contract;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Lines that the whole application logs from now on: of idem from DEBUG, of everything else from INFO. */
public final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger idem = (Logger) LoggerFactory.getLogger("io.idem");

    public LoggedLines() {
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
        idem.setLevel(Level.DEBUG);
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    /** Of idem's own loggers, at exactly that level. */
    public List<String> ofIdem(Level level) {
        return events.stream()
                .filter(event ->
                        event.getLevel() == level && event.getLoggerName().startsWith("io.idem"))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Of idem from INFO on, of Spring from WARN on; each with its level and its logger, and with the stack trace's class if it has one. */
    public List<String> loud() {
        return events.stream()
                .filter(event -> event.getLevel()
                        .isGreaterOrEqual(event.getLoggerName().startsWith("io.idem") ? Level.INFO : Level.WARN))
                .filter(event -> event.getLoggerName().startsWith("io.idem")
                        || event.getLoggerName().startsWith("org.springframework"))
                .map(event -> event.getLevel() + " " + event.getLoggerName() + ": " + event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : " WITH STACK " + event.getThrowableProxy().getClassName()))
                .toList();
    }

    @Override
    public void close() {
        root.detachAppender(this);
        idem.setLevel(null);
        stop();
    }
}
