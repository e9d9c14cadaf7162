package io.iocluster.node.cli.terminal;

/** The exit codes of the commands. */
public final class ExitCode {

    /** The command succeeded. */
    public static final int OK = 0;

    /** The command failed, completely or in part. */
    public static final int FAILURE = 1;

    /** The command line or the configuration is invalid. */
    public static final int USAGE = 2;

    /** A node has a problem. */
    public static final int UNHEALTHY = 3;

    /** The heading of the exit codes in the help of a command. */
    public static final String HEADING = "%nExit codes:%n";

    private ExitCode() {}
}
