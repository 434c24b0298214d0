package io.idem.benchmarks.database;

import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A controller that publishes each request and answers when the broker has it. */
@RestController
class BareController {

    private static final int PATIENCE_SECONDS = 30;

    private final KafkaTemplate<String, String> template;
    private final String topic;

    BareController(KafkaTemplate<String, String> template, @Value("${bench.topic}") String topic) {
        this.template = template;
        this.topic = topic;
    }

    @PostMapping(HttpWay.PATH)
    @ResponseStatus(HttpStatus.ACCEPTED)
    String publish(@RequestHeader("Idempotency-Key") String key, @RequestBody String body) throws Exception {
        template.send(topic, key, body).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return "{\"id\":\"" + key + "\",\"status\":\"accepted\"}";
    }
}
