export const HELP = `choir: your computer from the command line

  choir status                          what is running and what there is
  choir link                            a fresh one-time sign-in link
  choir computer add NAME | list        make a computer, or list yours

  choir prompt "WHAT YOU WANT" [--wait] ask for a change, or answer a question; --wait: see it through
  choir runs                            what was asked for, and what became of it
  choir runs --diff RUN [PATH]          what one of them changed, line by line
  choir stop [--run ID | --all]         stop what is going on; where nothing is, or with --all: ChoirOS itself
  choir steer "WHAT TO MIND"            add to what is being worked on
  choir answer ["ANSWER" …]             answer what it asks, in order; left out: what it offers

  choir model set --provider anthropic|bedrock|openai-compatible --model NAME [--fast NAME] [--url URL]
                  [--key -] [--prices INPUT,OUTPUT]
                                        which language model the agents use; --key - reads the key from
                                        standard input, prices are per million tokens
  choir model test | list | remove      does it answer?
  choir model caps [--run N] [--day N] [--total N|none] [--money N|none]
                                        what it may cost on a computer: tokens in a run, in a day and in
                                        all, money in a day; without options: what is used of that

  choir write PATH [--exec] [--symlink TARGET] [--from HASH|none]
                                        put standard input into a file
  choir rm PATH                         delete a file or folder
  choir mv PATH NEW-PATH                rename or move
  choir mkdir PATH                      make a folder
  choir ls [PATH] [--at SEQ]            list a folder
  choir cat PATH [--at SEQ]             print a file, now or as it was
  choir tree [--at SEQ]                 every file, and the hash of all of them
  choir events [--after SEQ] [--follow] the log

  choir undo [--run ID | --event SEQ | --to SEQ] [--preview]
                                        take back what was done last, by you or for you; one run or event,
                                        keeping everything since; or everything after a point
  choir redo [--preview]                take the last undo back
  choir restore SEQ|CHECKPOINT [--preview]
                                        files and windows as they were
  choir checkpoint [NAME] [--list]      name this point; it is also a git commit
  choir fork NAME [--at SEQ]            a new computer from any point of this one

  choir export FILE [--rescue]          the whole computer in one file; --rescue: what can still
                                        be read of a damaged one
  choir import FILE [--name NAME]       a new computer from such a file
  choir verify                          prove log, objects, tables and files
  choir recover [--yes]                 where events are gone from the log: what is known of them and
                                        what can be brought back; --yes does it
  choir receipt [--check FILE]          a signed line about how far your computer has got, to keep
                                        elsewhere; --check: does the log still hold it?
  choir replay [--to SEQ] [--into DIR]  make it all again from the log and compare
  choir room                            how much your files, their old versions and the history take
  choir thin --older-than 30d [--yes]   remove old versions for good, to make room; h, d or w; without
                                        --yes: what would go
  choir erase PATH --yes [--reason TEXT]
                                        remove every version of a file for good

Everywhere: --computer NAME for another computer than your first, --home DIR, --user ID, --json for machines.
Works whether ChoirOS is running or not. Exit code 0 means that it was done.
`
