package io.idem.benchmarks.http;

import io.idem.Idempotent;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application with two routes of equal work, one of them behind the filter of idem. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RoutesApplication {

    @RestController
    static class Payments {

        @PostMapping("/bare")
        String bare(@RequestBody String body) {
            return "{\"size\":" + body.length() + "}";
        }

        @PostMapping("/guarded")
        @Idempotent
        String guarded(@RequestBody String body) {
            return "{\"size\":" + body.length() + "}";
        }
    }
}
