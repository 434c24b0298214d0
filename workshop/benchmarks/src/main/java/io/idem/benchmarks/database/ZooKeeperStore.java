package io.idem.benchmarks.database;

import java.util.Map;

/** ZooKeeper as the store, three servers, beside Redis as the store. The work commits its row by itself. */
record ZooKeeperStore() implements Comparison {

    @Override
    public String name() {
        return "ZooKeeper store";
    }

    @Override
    public String control() {
        return "Redis store";
    }

    @Override
    public String remark() {
        return "saves you from: what Redis forgets in a failover";
    }

    @Override
    public Way openControl(Place place, WayDatabase database) {
        return EngineWay.withoutInbox(database, place.settings(Map.of()));
    }

    @Override
    public Way open(Place place, WayDatabase database) {
        Map<String, Object> settings = Map.of("idem.store", "zookeeper", "idem.zookeeper.connect", place.zooKeeper());
        return EngineWay.withoutInbox(database, place.settings(settings));
    }
}
