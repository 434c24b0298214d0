package io.idem.consumer.internal.definition;

import io.idem.Scope;
import io.idem.consumer.ListenerConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells at start of listeners that may lose messages as duplicates: those that read several queues or topics, in which
 * messages may have equal keys, those of which each instance of the application gets every message, and those that read
 * from a given offset at each start. Tells of listeners, too, whose scopes share the messages of a queue or group.
 *
 * @param host name of this instance's machine; empty if it is not known
 * @param readers scopes of the listeners known so far, by what they read; concurrent
 */
public record ListenerSources(String host, Map<Source, Set<Scope>> readers) {

    /** The beginning of the name of all topics like a pattern. */
    public static final String PATTERN = "topics like ";

    private static final Logger LOG = LoggerFactory.getLogger(ListenerSources.class);
    private static final String FIRST_ONLY =
            "{} reads {}: of messages with one key only the first runs, also if they come from different queues or topics."
                    + " If each is to run, name the queue or topic in key, or use a listener and a scope for each";
    private static final String ONE_INSTANCE =
            "{} reads {}. Where each instance of the application, or each start of it, gets every message that way, still only"
                    + " one runs it. To run it in each, remove @IdempotentListener, or name the instance in scope";
    private static final String TWO_SCOPES =
            "{} is read under {} and by another listener under {}: a message and its copy may run in both. Use handlers of one"
                    + " class, or, if each is to get every message, a queue or consumer group for each";
    /**
     * Whole and cut UUIDs, 22 characters of Base64 as Spring AMQP makes them, random numbers, and times in ms or ns. Text of words
     * has neither digits nor capitals in a row; eight digits may be a day, so one of forty first blocks of a UUID is not known.
     */
    private static final Pattern GENERATED = Pattern.compile("^(spring|amq)\\.gen-|anonymous\\.[\\w-]{22}$"
            + "|\\p{XDigit}{8}(-?\\p{XDigit}{4}){3}-?\\p{XDigit}{12}$|(^|[-._])((?=.*(\\d|[A-Z]{2}))(?=.*[a-z])(?=.*[A-Z])[\\w-]{22}"
            + "|(?=\\d*[a-f])(?=[a-f]*\\d)\\p{XDigit}{8}|\\d{9,11}|\\d{13}|\\d{15,})$");

    /**
     * Sources of a listener.
     *
     * @param dealer gives each message of a source to one of its readers: the connection, or brokers and group
     * @param names queues or topics
     * @param several whether they are more than one
     * @param shared the queues or the consumer group that the instances of an application share
     * @param rewound whether each start reads from a given offset
     */
    public record Read(Object dealer, List<String> names, boolean several, List<String> shared, boolean rewound) {}

    /** A queue, a topic, or the topics like a pattern, and who deals its messages out. */
    public record Source(Object dealer, String name) {

        boolean overlaps(Source other) {
            return dealer.equals(other.dealer) && (name.equals(other.name) || includes(other) || other.includes(this));
        }

        private boolean includes(Source topic) {
            return name.startsWith(PATTERN) && topic.name.matches(name.substring(PATTERN.length()));
        }
    }

    /** Checks a listener: a method, or the handlers of a class. */
    public void check(List<ListenerDefinition> handlers, Read sources) {
        Set<Scope> scopes = handlers.stream().map(ListenerDefinition::scope).collect(Collectors.toSet());
        boolean several = sources.several()
                || readers.entrySet().stream()
                        .anyMatch(known -> known.getValue().equals(scopes)
                                && sources.names().stream()
                                        .map(name -> new Source(sources.dealer(), name))
                                        .noneMatch(known.getKey()::equals));
        handlers.forEach(listener -> check(listener, sources, several));
        for (String name : sources.names()) {
            Source source = new Source(sources.dealer(), name);
            readers.forEach((other, others) -> {
                if (source.overlaps(other) && !others.equals(scopes)) {
                    LOG.warn(TWO_SCOPES, name, scopes, others);
                }
            });
            readers.putIfAbsent(source, scopes);
        }
    }

    private void check(ListenerDefinition listener, Read sources, boolean several) {
        String name = ListenerConfigurationException.describe(listener.method());
        String key = listener.keys().toString();
        // A key in a header is made for one message; messages of several kinds may share a value of their content.
        boolean content = key.startsWith("key ") && !key.matches("(?s).*(opic|ueue).*");
        if (several) {
            LOG.atLevel(content ? Level.WARN : Level.INFO).log(FIRST_ONLY, name, sources.names());
        }
        if (!isOfInstance(listener.scope().name())) {
            sources.shared().stream()
                    .filter(this::isOfInstance)
                    .forEach(own -> LOG.warn(ONE_INSTANCE, name, "by " + own + ", a name as of one instance"));
            if (sources.rewound()) {
                LOG.warn(ONE_INSTANCE, name, "from a given offset at each start");
            }
        }
    }

    private boolean isOfInstance(String name) {
        return GENERATED.matcher(name).find() || (host.matches(".*\\d.*") && name.contains(host));
    }
}
