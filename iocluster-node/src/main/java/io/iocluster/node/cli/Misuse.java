package io.iocluster.node.cli;

import io.iocluster.node.config.binding.NearestName;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes an invalid command line, with the nearest command or option if a name is unknown. */
final class Misuse {

    private Misuse() {}

    /** Returns one line for the user. */
    static String message(ParameterException misuse) {
        List<String> unmatched = misuse instanceof UnmatchedArgumentException unknown
                ? unknown.getUnmatched()
                : misuse.getCommandLine().getUnmatchedArguments();
        // A misspelt option is the reason why a required one is missing.
        return unmatched.isEmpty() ? misuse.getMessage() : unknown(unmatched.get(0), misuse.getCommandLine());
    }

    private static String unknown(String argument, CommandLine line) {
        if (argument.startsWith("-") && argument.length() > 1) {
            String name = argument.split("=", 2)[0];
            List<String> options = line.getCommandSpec().options().stream()
                    .flatMap(option -> List.of(option.names()).stream())
                    .toList();
            return "unknown option " + name + NearestName.hint(name, options);
        }
        Collection<String> commands = line.getSubcommands().keySet();
        return commands.isEmpty()
                ? "unexpected argument " + argument
                : "unknown command " + argument + NearestName.hint(argument, commands);
    }
}
