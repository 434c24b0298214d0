package io.idem.http.contract;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that the version of the API selects; the same on both stacks. Runs are counted by the key as it was sent. */
@RestController
@RequestMapping("/operations/versions")
public class VersionedOperations {

    private final Runs runs;

    public VersionedOperations(Runs runs) {
        this.runs = runs;
    }

    @PostMapping(
            path = {"/same", "/{id}"},
            version = "1")
    public String one(@RequestHeader(Client.KEY) String key) {
        return "one " + runs.enter(key);
    }

    @PostMapping(
            path = {"/same", "/{other}"},
            version = "2")
    public String two(@RequestHeader(Client.KEY) String key) {
        return "two " + runs.enter(key);
    }
}
