package io.idem.demo.page;

import io.idem.demo.flow.LogLine;
import io.idem.demo.page.MachinesView.Redis;
import io.idem.demo.story.Kind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records which buttons were pressed. */
final class ScriptedPlayground implements Playground {

    final List<String> pressed = new CopyOnWriteArrayList<>();

    @Override
    public Frame since(long seen) {
        List<LogLine> lines =
                pressed.stream().skip(seen).map(text -> new LogLine(1, text)).toList();
        return new Frame(pressed.size(), List.of(), lines, LedgerView.EMPTY, new MachinesView(List.of(), Redis.UP), "");
    }

    private String press(String button) {
        pressed.add(button);
        return button;
    }

    @Override
    public String send(Kind kind, long cents) {
        return press("send " + kind + " " + cents);
    }

    @Override
    public String sendTwice(Kind kind, long cents) {
        return press("send twice " + kind + " " + cents);
    }

    @Override
    public String retry() {
        throw new NotNowException("Send something first.");
    }

    @Override
    public String change() {
        return press("change");
    }

    @Override
    public String killWorker() {
        return press("kill");
    }

    @Override
    public String stopRedis() {
        return press("stop");
    }

    @Override
    public String startRedis() {
        return press("start");
    }
}
