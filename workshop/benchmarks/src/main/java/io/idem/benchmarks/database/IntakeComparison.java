package io.idem.benchmarks.database;

import io.idem.benchmarks.listener.KafkaTopic;
import java.util.HashMap;
import java.util.Map;

/** A route of the intake, beside a bare controller that publishes and waits for the broker. Neither has a database. */
record IntakeComparison() implements Comparison {

    @Override
    public String name() {
        return "intake";
    }

    @Override
    public String control() {
        return "a bare controller that publishes";
    }

    @Override
    public String remark() {
        return "saves you from: a second message for a retry; another body under the same key";
    }

    @Override
    public Way openControl(Place place, WayDatabase unused) throws Exception {
        KafkaTopic topic = KafkaTopic.create(place.kafka());
        return new HttpWay(topic, Applications.startBareWeb(BareController.class, settings(place, topic)));
    }

    @Override
    public Way open(Place place, WayDatabase unused) throws Exception {
        KafkaTopic topic = KafkaTopic.create(place.kafka());
        Map<String, Object> settings = settings(place, topic);
        settings.put("idem.http.tenant", "SINGLE");
        settings.put("idem.gateway.routes[0].path", HttpWay.PATH);
        settings.put("idem.gateway.routes[0].topic", topic.name());
        return new HttpWay(topic, Applications.startWeb(Applications.Empty.class, settings));
    }

    private static Map<String, Object> settings(Place place, KafkaTopic topic) {
        Map<String, Object> settings = new HashMap<>(place.servers().settings());
        settings.put("server.port", "0");
        settings.put("spring.application.name", "bench");
        settings.put("spring.kafka.bootstrap-servers", place.kafka().bootstrapServers());
        settings.put("bench.topic", topic.name());
        return settings;
    }
}
