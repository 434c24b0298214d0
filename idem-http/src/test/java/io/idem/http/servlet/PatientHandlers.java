package io.idem.http.servlet;

import io.idem.http.contract.Client;
import io.idem.http.contract.Runs;
import java.util.concurrent.Callable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The handlers of {@link io.idem.http.contract.WaitContract}. */
@RestController
class PatientHandlers {

    private final Runs runs;

    PatientHandlers(Runs runs) {
        this.runs = runs;
    }

    @PostMapping({"/patient/run", "/hasty/run", "/unavailable/run"})
    String run(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
        return "run " + runs.enter(key) + " of " + body;
    }

    @PostMapping("/patient/fails-once")
    String failsOnce(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
        int run = runs.enter(key);
        if (run == 1) {
            throw new IllegalStateException("ordered by a test");
        }
        return "run " + run + " of " + body;
    }

    @PostMapping("/patient/error")
    void error(@RequestHeader(Client.KEY) String key) {
        throw new ResponseStatusException(HttpStatusCode.valueOf(runs.enter(key) == 1 ? 503 : 422));
    }

    @PostMapping("/patient/late")
    Callable<String> late(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
        return () -> run(key, body);
    }

    @PostMapping("/patient/late-fails-once")
    Callable<String> lateFailsOnce(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
        return () -> failsOnce(key, body);
    }

    @PostMapping(path = "/patient/form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    String form(@RequestHeader(Client.KEY) String key, @RequestParam String item) {
        return failsOnce(key, item);
    }
}
