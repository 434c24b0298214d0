package io.idem.servers;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** ZooKeeper servers that elect a leader among them. Thread-safe. */
public final class ZooKeeperEnsemble implements AutoCloseable {

    private final List<RunningZooKeeper> members;

    ZooKeeperEnsemble(List<RunningZooKeeper> members) {
        this.members = List.copyOf(members);
    }

    /** Returns the servers, in a fixed order. */
    public List<RunningZooKeeper> members() {
        return members;
    }

    /** Returns the addresses of all members for clients. */
    public String connectString() {
        return members.stream().map(RunningZooKeeper::connectString).collect(Collectors.joining(","));
    }

    /** Returns the leader; empty during an election, and while the leader is frozen. */
    public Optional<RunningZooKeeper> leader() {
        return members.stream()
                .filter(member -> member.mode().filter("leader"::equals).isPresent())
                .findFirst();
    }

    /** Ends all members and removes their data. */
    @Override
    public void close() {
        members.forEach(RunningZooKeeper::close);
    }
}
