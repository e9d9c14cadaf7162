package io.iocluster.node.cli.terminal;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses how many entries to print: a whole number from 0. */
public final class CountArgument implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException noNumber) {
            // The same message as for a negative one.
        }
        throw new TypeConversionException("'" + text + "' is not a whole number from 0");
    }
}
