package io.iocluster.lab.load.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs a program to start a fault, and another one to end it. Each argument is passed as it is; no shell expands it. A second Ctrl-C
 * does not end the program that ends the fault.
 */
final class CommandFault implements FaultAction {

    private final CommandRun start;
    private final CommandRun end;

    /**
     * @param start the program and its arguments
     * @param end the program that ends the fault; empty if the fault ends by itself
     * @param folder the working directory of both
     * @param timeout after it a program is killed, with those that it started
     */
    CommandFault(List<String> start, List<String> end, Path folder, Duration timeout) {
        this.start = new CommandRun(start, folder, timeout, false);
        this.end = end.isEmpty() ? null : new CommandRun(end, folder, timeout, true);
    }

    @Override
    public String description() {
        return "command " + start.text();
    }

    @Override
    public void apply() throws IOException, InterruptedException {
        start.run();
    }

    @Override
    public void undo() throws IOException, InterruptedException {
        if (end != null) {
            end.run();
        }
    }
}
